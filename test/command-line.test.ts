import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { completionFor } from '../cli/commands/completion.ts'
import type { Shell } from '../cli/commands/shells.ts'
import { buildProgram } from '../src/commands/run-command.ts'
import { findProgram } from './support/debian-program.ts'
import { inherited } from './support/server-process.ts'
import { startOptions } from './support/start-options.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Runs the command as a user does. */
function lacewing(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(`${ROOT}bin/lacewing`, words, {
    encoding: 'utf8',
    env: inherited(),
  })
  return { status, stdout, stderr }
}

function withDescendants(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withDescendants)]
}

describe('the command line', () => {
  it('explains every command, argument and option in its help', () => {
    for (const command of withDescendants(buildProgram())) {
      assert.match(command.description(), /^[A-Z].*\.$/s, `${command.name()} has a description`)
      for (const { description, name } of command.options.map((it) => ({
        description: it.description,
        name: it.flags,
      })))
        assert.match(description, /^[A-Z].*\.$/s, `${command.name()} ${name}`)
      for (const argument of command.registeredArguments)
        assert.match(argument.description, /^[A-Z].*\.$/s, `${command.name()} ${argument.name()}`)
      assert.match(command.helpInformation(), /-h, --help/)
    }
  })

  it('prints help and release with exit code 0, and refuses an unknown command with 2', () => {
    const help = lacewing('--help')
    assert.equal(help.status, 0, help.stderr)
    assert.match(help.stdout, /Usage: lacewing/)
    for (const { name } of buildProgram().commands.map((it) => ({ name: it.name() })))
      assert.match(help.stdout, new RegExp(`^ {2}${name}\\b`, 'm'))
    const unknown = lacewing('sart')
    assert.equal(unknown.status, 2)
    assert.match(unknown.stderr, /unknown command 'sart'\n\(?Did you mean start\?\)?/)
    assert.doesNotMatch(unknown.stderr, /\bat .*\.ts:/)
  })

  it('takes the Node of the system from version 24 on, else that of npm, and says so if there is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lacewing-node-'))
    const program = join(folder, 'lacewing/bin/lacewing')
    const nodeIn = (place: string, version: string) => {
      mkdirSync(dirname(join(folder, place)), { recursive: true })
      const script = `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "${place} $*"\n`
      writeFileSync(join(folder, place), script, { mode: 0o755 })
    }
    mkdirSync(dirname(program), { recursive: true })
    copyFileSync(`${ROOT}bin/lacewing`, program)
    const run = () =>
      spawnSync(program, ['start'], { encoding: 'utf8', env: { PATH: `${folder}/path:/bin:/usr/bin-only` } })
    const none = run()
    assert.deepEqual([none.status, none.stdout], [1, ''])
    assert.match(none.stderr, /^Lacewing needs Node 24 or newer, and finds none: .*\.\n$/)
    nodeIn('lacewing/node_modules/.bin/node', 'v24.1.0')
    nodeIn('path/node', 'v22.9.0')
    const { flags } = startOptions()
    assert.equal(run().stdout, `lacewing/node_modules/.bin/node ${flags.join(' ')} ${folder}/lacewing/src/main.mjs\n`)
    nodeIn('path/node', 'v26.0.0')
    assert.match(run().stdout, /^path\/node /)
    rmSync(folder, { recursive: true })
  })

  it('is started by npm start, the image and the systemd unit in the same way', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    assert.equal(scripts.start, 'exec bin/lacewing start')
    assert.ok(startOptions().flags.length === 4 && Object.keys(startOptions().variables).length === 2)
    assert.ok(readFileSync(`${ROOT}Dockerfile`, 'utf8').includes('\nCMD ["bin/lacewing", "start"]\n'))
    assert.ok(
      readFileSync(`${ROOT}docs/operating.md`, 'utf8').includes('\nExecStart=/opt/lacewing/bin/lacewing start\n'),
    )
  })

  it('has --json and --quiet for every command that does something', () => {
    const runnable = withDescendants(buildProgram()).filter(
      (it) => it.commands.length === 0 || it.registeredArguments.length > 0,
    )
    assert.ok(runnable.length >= 15)
    for (const command of runnable) {
      const options = command.options.map(({ long }) => long)
      for (const option of ['--json', '--quiet'])
        assert.equal(options.filter((it) => it === option).length, 1, `${command.name()} ${option}`)
    }
  })
})

describe('the completion of the command line', () => {
  /** Words before the cursor, each with what is completed, among others. */
  const CASES: readonly (readonly [words: readonly string[], found: readonly string[], missing: readonly string[]])[] =
    [
      [[''], ['start', 'import', 'completion', 'mail'], ['bugzilla']],
      [['im'], ['import'], ['start']],
      [['import', ''], ['bugzilla', 'rest'], ['start']],
      [['import', 'bugzilla', '--t'], ['--time-zone'], ['--report', '--timeout']],
      [['import', '--json', 'rest', '--key-file', 'bugzilla', '--t'], ['--timeout'], ['--time-zone']],
      [['admin', 'e'], ['end-sessions'], ['export']],
      [['completion', 'z'], ['zsh'], ['bash']],
      [['restore', 'check', '--'], ['--attachments-in-folder'], ['--repair']],
      [['tri'], ['triage'], ['inbox']],
      [['inbox', ''], ['done', 'snooze', 'undo'], ['triage']],
      [['new', '--pr'], ['--product', '--priority'], ['--private']],
      [['list', '--server', 'edit', '--co'], ['--columns', '--count'], ['--component']],
      [['login', '--key', '--'], ['--key-stdin', '--allow-http'], ['--columns']],
      [['edit', '1001', '--add-'], ['--add-cc', '--add-keyword'], ['--admin']],
    ]
  const scriptFor = (shell: Shell) => completionFor(shell, buildProgram())
  const check = (complete: (words: readonly string[]) => string) => {
    for (const [words, found, missing] of CASES) {
      const completed = complete(words).split('\n')
      for (const word of found) assert.ok(completed.includes(word), `${words.join(' ')}: ${word} in ${completed}`)
      for (const word of missing) assert.ok(!completed.includes(word), `${words.join(' ')}: no ${word} in ${completed}`)
    }
  }
  const run = (program: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''], stdout)
    return stdout
  }

  it('works in bash', () => {
    const ask = `COMP_WORDS=(lacewing "$@"); COMP_CWORD=$#; _lacewing; printf "%s\\n" "\${COMPREPLY[@]}"`
    check((words) => run('bash', ['--norc', '-c', `${scriptFor('bash')}\n${ask}`, 'bash', ...words]))
    assert.match(lacewing('completion', 'bash').stdout, /^complete -o default -F _lacewing lacewing$/m)
    assert.equal(lacewing('completion', 'csh').status, 2)
  })

  it('works in zsh', () => {
    const zsh = findProgram({ name: 'zsh', package: 'zsh', versionOption: '--version' })
    if (zsh === undefined) return
    // The functions of the completion system, which need a terminal.
    const system = `compdef() { :; }; _files() { :; }
      _describe() { local -a all; all=("\${(@P)2}"); local one; for one in $all; do one="\${one%%:*}"; [[ $one == $last* ]] && print -r -- $one; done; }`
    const ask = 'words=(lacewing "$@"); CURRENT=$#words; last="$words[CURRENT]"; _lacewing; true'
    check((words) => run(zsh, ['-f', '-c', `${system}\n${scriptFor('zsh')}\n${ask}`, 'zsh', ...words]))
  })

  it('works in fish', () => {
    const fish = findProgram({ name: 'fish', package: 'fish', versionOption: '--version' })
    if (fish === undefined) return
    const ask = (words: readonly string[]) => `complete -C ${JSON.stringify(`lacewing ${words.join(' ')}`)}`
    check((words) => run(fish, ['--no-config', '-c', `${scriptFor('fish')}\n${ask(words)}`]).replaceAll(/\t.*$/gm, ''))
  })
})
