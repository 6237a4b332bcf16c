import type { Arguments, Command, LoadedCommand } from '../command.ts'
import { bash } from '../completions/bash.ts'
import { fish } from '../completions/fish.ts'
import { zsh } from '../completions/zsh.ts'
import { closest } from '../../api/suggest.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

const SHELLS: { [shell: string]: (commands: readonly LoadedCommand[]) => string } = { bash, zsh, fish }

export const completions: Command = {
  name: 'completions',
  usage: 'completions bash|zsh|fish',
  about: [
    'bash: put `source <(transcript completions bash)` into ~/.bashrc.',
    '',
    'zsh: `transcript completions zsh > _transcript`, in a folder of $fpath.',
    '',
    'fish: `transcript completions fish > ~/.config/fish/completions/transcript.fish`.',
  ],
  examples: [
    ['transcript completions bash', 'print the script for bash'],
    ['transcript completions zsh > _transcript', 'write the script for zsh'],
  ],
  exits: { 0: 'printed', 2: 'unknown shell' },
  options: {},
  run,
}

async function run({ files }: Arguments, terminal: Terminal, allCommands: () => Promise<LoadedCommand[]>): Promise<number> {
  const [shell] = files
  if (files.length !== 1) throw new UsageError('`completions` takes the name of one shell', `transcript ${completions.usage}`)
  if (!Object.hasOwn(SHELLS, shell!)) {
    const near = closest(shell!, Object.keys(SHELLS))
    throw new UsageError(`there are no completions for \`${shell}\``, near ? `did you mean \`${near}\`?` : 'shells: bash, zsh, fish')
  }
  terminal.out(SHELLS[shell!]!(await allCommands()))
  return 0
}
