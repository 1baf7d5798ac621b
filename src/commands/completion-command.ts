import { Argument, type Command } from 'commander'
import { SHELLS, type Shell } from '../../cli/commands/shells.ts'
import { outputOf } from './output.ts'

export function addCompletionCommand(program: Command) {
  program
    .command('completion')
    .description('Print a script with which a shell completes the commands and options.')
    .addArgument(new Argument('<shell>', 'The shell: bash, zsh or fish.').choices(SHELLS))
    .addHelpText(
      'after',
      '\nbash: source <(lacewing completion bash), in ~/.bashrc\n' +
        'zsh:  source <(lacewing completion zsh), in ~/.zshrc after compinit\n' +
        'fish: lacewing completion fish > ~/.config/fish/completions/lacewing.fish',
    )
    .action(async (shell: Shell, _options: object, own: Command) => {
      const { completionFor } = await import('../../cli/commands/completion.ts')
      const script = completionFor(shell, program)
      outputOf(own).print({ shell, script }, script)
    })
}
