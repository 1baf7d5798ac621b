import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { buildProgram } from '../src/commands/run-command.ts'
import { inherited } from './support/server-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Runs the command as a user does. */
function lacewing(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${ROOT}bin/lacewing.mjs`, ...words], {
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

  it('starts the server with the options of npm start', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
    const wrapper = readFileSync(`${ROOT}bin/lacewing.mjs`, 'utf8')
    const options = [...scripts.start.matchAll(/(--[\w-]+(?:=\S+)?|MALLOC_\w+)/g)].map((match) => match[1])
    assert.ok(options.length >= 5)
    for (const option of options) assert.ok(wrapper.includes(option), option)
  })
})
