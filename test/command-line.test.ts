import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { buildProgram } from '../src/commands/run-command.ts'
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
})
