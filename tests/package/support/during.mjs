// A server for the time of a test.

/** Runs `work` with a server that is closed in any case. */
export const during = async (opening, work) => {
  const server = await opening
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}
