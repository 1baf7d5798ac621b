import assert from 'node:assert/strict'
import { before } from 'node:test'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { inspect } from '../support/inspector.ts'
import { LACEWING } from '../support/lacewing-command.ts'
import { answerIn } from '../support/mcp-client.ts'
import { CommandUser } from '../support/people-command.ts'
import { describeInSoak, itInSoak } from '../support/sample.ts'
import { describeOnSqlite, type World } from '../support/world.ts'

// It is fetched from the registry of npm.
describeInSoak('the official inspector', () => {
  describeOnSqlite('with /mcp', (world) => {
    const header = `Authorization: Bearer ${cast.edna.apiKey}`
    findsNoFault(world, () => [`${world.url}/mcp`, '--transport', 'http', '--header', header])
  })

  describeOnSqlite('with lacewing mcp', (world) => {
    findsNoFault(world, () => {
      const { environment } = CommandUser.withKey(world.url, cast.edna.apiKey)
      const given = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`])
      return [...given, process.execPath, '--disable-warning=ExperimentalWarning', LACEWING, 'mcp']
    })
  })
})

function findsNoFault(world: World, target: () => readonly string[]) {
  const { home } = new CommandUser()
  let bug = 0
  before(async () => {
    bug = await fileBug(world.edna, { summary: 'An inspected bug' })
  })
  const ask = (...words: string[]) => inspect(home, target(), words)

  itInSoak('finds no fault in the tools, and schemas that every model understands', async () => {
    const { tools } = await ask('--method', 'tools/list', '--strict')
    assert.equal(tools.length, 10)
  })

  itInSoak('calls tools, and reads resources', async () => {
    const read = answerIn(await ask('--method', 'tools/call', '--tool-name', 'get_bug', '--tool-arg', `bug=${bug}`))
    assert.equal(read.data.bug.summary, 'An inspected bug')
    const { resourceTemplates } = await ask('--method', 'resources/templates/list')
    assert.equal(resourceTemplates.length, 2)
    const { contents } = await ask('--method', 'resources/read', '--uri', `lacewing://bug/${bug}`)
    assert.match(contents[0].text, /"An inspected bug"/)
  })
}
