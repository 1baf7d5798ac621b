import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { isIn, requireGroup, requireLogin, requireUnlimited, type SignedIn } from '../../access/caller.ts'
import { withLiveCredential } from '../../access/live-credential.ts'
import { requireRecentProof } from '../../access/recent-proof.ts'
import { errors } from '../../platform/errors.ts'
import { Created, updated } from '../../platform/wire/openapi/schemas.ts'
import {
  flag,
  integer,
  integers,
  isGiving,
  type ListChange,
  listChange,
  MOST_TO_READ,
  required,
  secret,
  text,
  texts,
} from '../../platform/wire/params.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { changeOwnAccount } from './change-own-account.ts'
import { createUser, hashOfNewPassword } from './create-user.ts'
import { findUsers } from './find-users.ts'
import { postPeople } from './invite-route.ts'
import { getPeople } from './people-route.ts'
import { suggest } from './suggest-users.ts'
import { updateUsers } from './update-users.ts'
import { requireLoginName, requireRealName } from './user.ts'
import { Users } from './user-schema.ts'
import { isSelf } from './user-targets.ts'
import { whoami } from './whoami.ts'

const resource = 'user'

/** Each match is compared with the names of all users. */
const MOST_MATCHES = 20

const findParams = {
  ids: integers('Ids of users. Requires login.', MOST_TO_READ),
  names: texts('Login names of users.', MOST_TO_READ),
  match: texts('Users whose login or real name contains any of these. Requires login.', MOST_MATCHES),
  limit: integer('Maximum number of users per match.'),
  group_ids: integers('Only members of any of these groups, by id.'),
  groups: texts('Only members of any of these groups, by name.'),
  include_disabled: flag('With match: include disabled accounts.'),
}

const getUsers = call({
  method: 'GET',
  path: '/user',
  resource,
  summary: 'Get users by id, by login name, or by matching.',
  about: 'Anonymous callers may only request exact login names, and get id, name and real_name.',
  params: findParams,
  answers: Users,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { ids, names, match, limit, group_ids, groups, include_disabled } = context.params
    if (limit !== undefined && limit < 0) throw errors.not_a_number({ name: 'limit', value: limit })
    const requested = {
      ids: ids ?? [],
      names: names ?? [],
      match: match ?? [],
      limit,
      groups: groups ?? [],
      groupIds: group_ids ?? [],
      includesDisabled: include_disabled ?? false,
    }
    return { users: await findUsers(context, requested) }
  },
})

const getUser = call({
  method: 'GET',
  path: '/user/:ref',
  pathParams: { ref: 'Id or login name.' },
  resource,
  summary: 'Get one user.',
  params: { ids: findParams.ids, names: findParams.names },
  answers: Users,
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const { path, params } = context
    const id = idIn(path.ref ?? '')
    const ids = [...(id === undefined ? [] : [id]), ...(params.ids ?? [])]
    const names = [...(id === undefined ? [path.ref ?? ''] : []), ...(params.names ?? [])]
    return {
      users: await findUsers(context, {
        ids,
        names,
        match: [],
        limit: undefined,
        groups: [],
        groupIds: [],
        includesDisabled: false,
      }),
    }
  },
})

const postUser = call({
  method: 'POST',
  idempotency: 'once',
  path: '/user',
  resource,
  summary: 'Create an account.',
  about:
    'For members of editusers, not with an API key that lacks a scope or has an end. Without a password, the user gets a mail with a link to choose one, which also proves the address.',
  params: {
    email: required(text('Login name and address of the new user.')),
    full_name: text('Real name; empty by default.'),
    password: secret('Leading and trailing spaces are removed.'),
  },
  answers: Created,
  status: 201,
  scope: 'admin',
  async ahead({ caller, settings, params }) {
    const editor = requireGroup(caller, 'editusers')
    const { email, full_name = '', password = '' } = params
    requireUnlimited(caller, 'create an account')
    requireRecentProof({ caller, settings })
    requireLoginName(email, settings)
    requireRealName(full_name)
    return {
      editor,
      passwordHash: await hashOfNewPassword(password, settings, `user ${editor.id}`),
    }
  },
  async run(context, { editor, passwordHash }) {
    const { email, full_name = '' } = context.params
    const requested = { email, fullName: full_name, passwordHash }
    const id = await withLiveCredential(context, 'accounts', (tx) =>
      createUser(tx, context.settings, editor.id, requested),
    )
    return { id }
  },
})

const putUser = call({
  method: 'PUT',
  path: '/user/:ref',
  pathParams: { ref: 'Id or login name.' },
  resource,
  summary: 'Change accounts.',
  about:
    'For members of editusers. Every user may change their own full_name and nick and, with old_password, their own password and email. A new email needs the parameter allowemailchange and takes effect when the code that is sent to it is sent back as email_code. Either all users are changed or none. Changing the login, the password or login_denied_text ends all sessions of the user; when users change their own account, the session in use stays open.',
  params: {
    ids: integers('More users to change, by id.'),
    names: texts('More users to change, by login name.'),
    full_name: text('New real name.'),
    nick: text('New short name, by which comments mention the user; for one user only.'),
    email: text('New login name; for one user only.'),
    password: secret('New password; an empty one removes the password.'),
    old_password: secret('The caller’s current password, to change the caller’s own password or email.'),
    email_code: secret('The code that was sent to the caller’s new email.'),
    email_enabled: flag('Whether mail about bugs is sent to the user.'),
    login_denied_text: text('Why the account is disabled; empty enables it.'),
    groups: listChange('Groups the user is in: add, remove, set. set takes precedence, and add over remove.'),
    bless_groups: listChange('Groups whose members the user may add and remove: add, remove, set.'),
  },
  unknownParams: 'refused',
  answers: updated('users', {
    email_to_confirm: Type.Optional(
      Type.String({ description: 'The caller’s new address, to which a code was sent.' }),
    ),
  }),
  scope: 'admin',
  async run(context) {
    const { caller, path, params } = context
    const { ids = [], names = [], ...wanted } = params
    const refs = [path.ref ?? '', ...ids.map(String), ...names]
    const signedIn = requireLogin(caller)
    if (isOwnChange(signedIn, refs, wanted)) return { users: [await changeOwnAccount(context, signedIn, wanted)] }
    const editor = requireGroup(caller, 'editusers')
    for (const name of ['old_password', 'email_code'] as const)
      if (wanted[name] !== undefined)
        throw errors.bad_value({
          name,
          value: '…',
          right: `it is only for changing ${OWN_FIELDS.join(', ')} of your own account`,
        })
    if (SENSITIVE_FIELDS.some((name) => wanted[name] !== undefined)) requireRecentProof(context)
    const given = GIVEN_FOR_GOOD.find(([isGiven]) => isGiven(wanted))
    if (given !== undefined) requireUnlimited(caller, given[1])
    return { users: await updateUsers(context, editor, refs, wanted) }
  },
})

/** Changes of these can take over an account, or give rights. */
const SENSITIVE_FIELDS = ['email', 'password', 'login_denied_text', 'groups', 'bless_groups'] as const

interface Given {
  email: string | undefined
  password: string | undefined
  login_denied_text: string | undefined
  groups: ListChange | undefined
  bless_groups: ListChange | undefined
}

/** The changes with which the holder of a key could log in, or do more, when the key no longer works. */
const GIVEN_FOR_GOOD: readonly (readonly [(wanted: Given) => boolean, string])[] = [
  [({ password }) => Boolean(password?.trim()), 'set a password'],
  [({ email }) => email !== undefined, 'change an address'],
  [({ login_denied_text: text }) => text !== undefined && text.trim() === '', 'enable an account'],
  [({ groups, bless_groups }) => isGiving(groups) || isGiving(bless_groups), 'give rights'],
]

/** The fields of their own account that all users may change. */
const OWN_FIELDS = ['full_name', 'nick', 'password', 'email']

interface Proofs {
  old_password: string | undefined
  email_code: string | undefined
}

/** Members of editusers change their own account like any other, unless they send their old password or a code. */
function isOwnChange(caller: SignedIn, refs: readonly string[], requested: Proofs) {
  const { old_password, email_code, ...fields } = requested
  const sentFields = Object.entries(fields).filter(([, value]) => value !== undefined)
  return (
    refs.every((ref) => isSelf(caller, ref)) &&
    sentFields.every(([name]) => OWN_FIELDS.includes(name)) &&
    (old_password !== undefined || email_code !== undefined || !isIn(caller, 'editusers'))
  )
}

export const userRoutes = [getUsers, getUser, getPeople, postPeople, postUser, putUser, whoami, suggest] as const
