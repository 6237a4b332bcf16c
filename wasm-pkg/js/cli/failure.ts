// Errors that end a command, reported in one sentence.

/** The command was called in a wrong way; exit code 2. */
export class UsageError extends Error {
  declare readonly help: string | null | undefined

  constructor(message: string, help?: string | null) {
    super(message)
    this.help = help
  }
}

/** The settings of the project cannot be used, so that no file of it can be checked; exit code 2. */
export class ConfigError extends UsageError {}

/** Why the system refused a file, without the name of the system call. */
export const fileErrorText = (error: unknown) => {
  const reasons: { [code: string]: string } = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'it is a directory',
    ENOTDIR: 'part of its path is not a directory',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
    ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  }
  return reasons[(error as NodeJS.ErrnoException).code!] ?? (error as Error).message
}
