// The browser of whoever sits at the terminal.
import { spawn } from 'node:child_process'

/** What opens an address here; undefined where there is no screen for it, as over ssh. */
const openCommand = ({ platform, env }: NodeJS.Process) => {
  if (platform === 'darwin') return ['open']
  // `start` would take the address apart.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER || env.WSL_DISTRO_NAME
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens an address in the browser; whether that worked, as far as that is known. */
export const browse = async (address: string) => {
  const opener = openCommand(process)
  if (opener === undefined) return false
  const [program, ...args] = opener
  return new Promise<boolean>((done) => {
    const child = spawn(program!, [...args, address], { detached: true, stdio: 'ignore' })
    child
      .once('error', () => done(false))
      .once('spawn', () => done(true))
      .once('exit', (code) => done(code === 0))
    child.unref()
  })
}
