import assert from 'node:assert/strict'
import { it } from 'node:test'
import { definitionOf, settingNames } from '../../src/platform/config/settings.ts'
import { cast } from '../support/cast.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnOneEngine, type World } from '../support/world.ts'

const UMA = `/rest/user/${cast.uma.login}`
const GRETA = `/rest/user/${cast.greta.login}`

async function groupsOf(client: Client): Promise<string[]> {
  return (await client.get('/rest/whoami')).body.groups.map(({ name }: { name: string }) => name)
}

async function managers(world: World) {
  return [await newMember(world, 'editusers', 'creategroups', 'editcomponents', 'tweakparams')] as const
}

describeOnOneEngine('A user outside of admin', (world) => {
  it('gives no right that they do not have, neither to themselves nor to others', async () => {
    const friend = await world.newUser()
    for (const path of [UMA, `/rest/user/${friend.id}`])
      for (const change of [
        { groups: { add: ['admin'] } },
        { groups: { set: ['editusers', 'security'] } },
        { groups: { add: ['editusers'], remove: ['editbugs'] } },
        { bless_groups: { add: ['admin'] } },
        { bless_groups: { set: ['editkeywords'] } },
      ])
        assertRefused(await world.uma.put(path, change), 401, 304)
    assert.deepEqual(await groupsOf(world.uma), ['editusers'])
    assert.equal((await world.uma.put(`/rest/user/${friend.id}`, { groups: { add: ['editusers'] } })).status, 200)
    assert.deepEqual(await groupsOf(friend.client), ['editusers'])
  })

  it('gives a right that a member of admin let them bless, and keeps other groups', async () => {
    const group = await world.newGroup()
    const [manager] = await managers(world)
    const other = await newMember(world, 'editbugs')
    assertRefused(await manager.client.put(`/rest/user/${other.id}`, { groups: { add: [group.name] } }), 401, 304)
    await world.ada.put(`/rest/user/${manager.id}`, { bless_groups: { add: [group.name] } })
    assert.equal((await manager.client.put(`/rest/user/${other.id}`, { groups: { set: [group.name] } })).status, 200)
    assert.deepEqual((await groupsOf(other.client)).sort(), ['bz_canusewhines', 'editbugs', group.name].sort())
  })

  it('cannot take over, disable or enable an account with more rights', async () => {
    const stronger = [cast.ada.login, cast.sven.login, cast.greta.login]
    for (const login of stronger)
      for (const change of [
        { password: 'taken over 1' },
        { password: '' },
        { email: 'mine@lacewing.test' },
        { login_denied_text: 'Out' },
        { groups: { remove: ['admin'] } },
      ])
        assertRefused(await world.uma.put(`/rest/user/${login}`, change), 401, 304)
    const weaker = await world.newUser()
    const together = { ids: [1], password: 'taken over 1' }
    assertRefused(await world.uma.put(`/rest/user/${weaker.id}`, together), 401, 304)
    const gone = await newMember(world, 'editkeywords')
    await world.ada.put(`/rest/user/${gone.id}`, { login_denied_text: 'Left' })
    assertRefused(await world.uma.put(`/rest/user/${gone.id}`, { login_denied_text: '' }), 401, 304)
    const blesser = await world.newUser()
    await world.ada.put(`/rest/user/${blesser.id}`, { bless_groups: { add: ['admin'] } })
    assertRefused(await world.uma.put(`/rest/user/${blesser.id}`, { password: 'taken over 1' }), 401, 304)
    assert.equal((await world.uma.put(`/rest/user/${cast.sven.login}`, { full_name: cast.sven.realName })).status, 200)
    assert.equal((await world.uma.put(`/rest/user/${weaker.id}`, { password: 'helped out 1' })).status, 200)
  })

  it('cannot become stronger by a login that the user_regexp of a group matches', async () => {
    await world.newGroup({ user_regexp: '^boss\\d?@' })
    const weaker = await world.newUser()
    for (const path of [UMA, `/rest/user/${weaker.id}`])
      assertRefused(await world.uma.put(path, { email: 'boss@lacewing.test' }), 401, 304)
    const made = { email: 'boss1@lacewing.test', password: 'known to uma' }
    assertRefused(await world.uma.post('/rest/user', made), 401, 304)
    const { body } = await world.uma.post('/rest/user', { email: 'boss2@lacewing.test' })
    assertRefused(await world.uma.put(`/rest/user/${body.id}`, { password: 'known to uma' }), 401, 304)
  })

  it('changes only groups that they are in or may bless', async () => {
    const { name } = await world.newGroup({ user_regexp: '@elsewhere$' })
    for (const group of ['admin', 'security', name]) {
      for (const change of [
        { member_groups: { add: ['creategroups'] } },
        { bless_groups: { add: ['creategroups'] } },
        { visible_groups: { add: ['creategroups'] } },
        { user_regexp: 'greta' },
        { member_groups: { set: ['creategroups'] } },
      ])
        assertRefused(await world.greta.put(`/rest/group/${group}`, change), 401, 304)
    }
    for (const change of [{ is_active: false }, { user_regexp: '' }, { name: 'other' }])
      assertRefused(await world.greta.put(`/rest/group/${name}`, change), 401, 304)
    assertRefused(await world.greta.delete(`/rest/group/${name}`), 401, 304)
    assertRefused(await world.greta.put(`/rest/group/${name}`, { ids: [1], user_regexp: 'greta' }), 401, 304)
    assert.equal((await world.greta.put(`/rest/group/${name}`, { description: 'No right' })).status, 200)
    assert.deepEqual(await groupsOf(world.greta), ['creategroups'])
  })

  it('decides about a group that they create, which gives no rights of others', async () => {
    const name = world.unique('own')
    const own = { name, description: 'Own', user_regexp: '^greta@', member_groups: { add: ['editkeywords'] } }
    assert.equal((await world.greta.post('/rest/group', own)).status, 201)
    assert.deepEqual(await groupsOf(world.greta), ['creategroups', name])
    assert.equal((await world.greta.put(`/rest/group/${name}`, { user_regexp: '' })).status, 200)
    assertRefused(await world.greta.put('/rest/group/admin', { member_groups: { add: [name] } }), 401, 304)
    assert.equal((await world.greta.put(`/rest/group/${name}`, { bless_groups: { add: ['editusers'] } })).status, 200)
    assert.equal((await world.uma.put(GRETA, { full_name: cast.greta.realName })).status, 200)
    assert.equal((await world.uma.put(UMA, { groups: { add: [name] } })).status, 200)
    await world.ada.put(UMA, { groups: { remove: [name] } })
    assert.equal((await world.greta.delete(`/rest/group/${name}`)).status, 200)
  })

  it('does not go on with rights that they lost while the request waited', async () => {
    const [manager] = await managers(world)
    const friend = await world.newUser()
    await world.ada.put(`/rest/user/${manager.id}`, { groups: { add: ['admin'] } })
    const grant = () => manager.client.put(`/rest/user/${friend.id}`, { groups: { add: ['admin'] } })
    const lose = () => world.ada.put(`/rest/user/${manager.id}`, { groups: { remove: ['admin'] } })
    assertRefused(await changedMeanwhile(world, grant, lose, 'configuration'), 401, 304)
    const takeOver = () => manager.client.put(`/rest/user/${friend.id}`, { email: 'other-friend@lacewing.test' })
    const strengthen = () => world.ada.put(`/rest/user/${friend.id}`, { groups: { add: ['security'] } })
    assertRefused(await changedMeanwhile(world, takeOver, strengthen, 'configuration'), 401, 304)
    const create = () => manager.client.post('/rest/user', { email: 'chief@lacewing.test', password: 'known to them' })
    const match = () => world.newGroup({ user_regexp: '^chief@' })
    assertRefused(await changedMeanwhile(world, create, match, 'accounts'), 401, 304)
    const include = () => manager.client.put('/rest/group/editusers', { member_groups: { add: ['editbugs'] } })
    const leave = () => world.ada.put(`/rest/user/${manager.id}`, { groups: { remove: ['editusers'] } })
    assertRefused(await changedMeanwhile(world, include, leave, 'configuration'), 401, 304)
  })

  it('gives no rights by parameters or by the groups of products', async () => {
    const [manager] = await managers(world)
    const changes = { insidergroup: 'tweakparams', timetrackinggroup: 'tweakparams', ...OF_ADMINISTRATORS }
    for (const [name, value] of Object.entries(changes))
      assertRefused(await manager.client.put('/rest/parameters', { whinedays: 3, [name]: value }), 401, 304)
    const forAdministrators = settingNames.filter((name) => definitionOf(name)?.isForAdministrators)
    assert.deepEqual(Object.keys(OF_ADMINISTRATORS).sort(), forAdministrators.sort())
    const control = '/rest/product/TestProduct/group_control'
    assertRefused(await manager.client.put(`${control}/security`, { membercontrol: 0 }), 401, 304)
    assertRefused(await manager.client.put(`${control}/editusers`, { editbugs: true }), 401, 304)
    const unchanged = await world.ada.get('/rest/parameters?include_fields=insidergroup,whinedays')
    assert.deepEqual(unchanged.body.parameters, { insidergroup: '', whinedays: '7' })
    await world.withParameters({ timetrackinggroup: 'tweakparams' }, async () => {
      const passedOn = await manager.client.put('/rest/parameters', { timetrackinggroup: 'editusers' })
      assert.equal(passedOn.status, 200)
    })
    // Its members have a duty, not a right: one of them could release administrators from it.
    await world.withParameters({ factor_group: 'tweakparams' }, async () => {
      assertRefused(await manager.client.put('/rest/parameters', { factor_group: '' }), 401, 304)
    })
  })
})

/** Another value of each parameter that only members of admin change. */
const OF_ADMINISTRATORS = {
  confirm_password_minutes: 1000,
  proposal_days: 0,
  proposals_open_per_key: 0,
  proposals_open_per_account: 0,
  proposals_hourly_per_key: 0,
  proposals_hourly_per_account: 0,
  password_length: 6,
  password_complexity: 'mixed_letters',
  session_idle_days: 0,
  session_days: 400,
  account_link_hours: 48,
  invitation_days: 30,
  requirelogin: true,
  rate_limit_anonymous: 0,
  rate_limit_anonymous_searches: 0,
  rate_limit_signed_in: 100_000,
  account_mails_per_address: 1000,
  account_mails_per_network: 1000,
  mailfrom: 'bugs@evil.example.com',
  globalwatchers: 'stan@lacewing.test',
  urlbase: 'https://evil.example.com/',
  or_groups: true,
  usevisibilitygroups: true,
  sign_in_providers: JSON.stringify([
    { name: 'evil', title: 'Evil', issuer: 'https://evil.example.com', client_id: 'x', client_secret: 'y' },
  ]),
  emailsuffix: '@evil.example.com',
  emailregexp: '.*',
  createemailregexp: '.*',
  inbound_proxies: '0.0.0.0/0',
  attachment_store: 's3',
  s3_endpoint: 'https://evil.example.com',
  s3_region: 'evil',
  s3_bucket: 'evil',
  s3_access_key: 'known',
  s3_secret_key: 'known',
  smtp_url: 'smtp://evil.example.com',
  incoming_address: 'bugs@evil.example.com',
  webhook_networks: '*',
  allowbugdeletion: true,
  factor_group: 'admin',
  use_mcp: false,
  oauth_registration: false,
  oauth_grant_days: 0,
  webservice_email_filter: true,
  strict_isolation: true,
  maintainer: 'evil@evil.example.com',
  feed_listeners: 0,
  new_account_days: 0,
  new_account_bugs: 0,
  new_account_comments: 0,
  new_account_attachments: 0,
  new_account_mails: 0,
  new_account_denied: 'word',
  edit_comments_minutes: 5,
  allow_global_initial_comment_editing: false,
}
