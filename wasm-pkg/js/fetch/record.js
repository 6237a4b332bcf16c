export const recordFetch = () => { throw new Error('later') }
