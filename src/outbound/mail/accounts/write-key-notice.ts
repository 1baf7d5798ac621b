import type { ApiKey } from '../../../people/api-keys/api-key.ts'
import { getApiKey } from '../../../people/api-keys/api-key-store.ts'
import { headerText } from '../headers/one-header.ts'
import type { MailContext } from '../mail-context.ts'
import { ifUnexpected, type NoticeOf, type NoticeText, type OwnerNotice } from './notice-text.ts'

export async function keyCreated(
  mailContext: MailContext,
  { userId, keyId, at }: NoticeOf<'key_made'>,
  owner: OwnerNotice,
): Promise<NoticeText> {
  const key = await getApiKey(mailContext.db, userId, String(keyId))
  if (key.resource !== null) return programAllowed(mailContext, key, at, owner)
  return {
    to: owner.to,
    subject: 'Your account has a new API key',
    text: [
      `An API key was created for your account ${owner.login} at ${owner.namedSite}`,
      '',
      ...factsOf(key, owner.actor, at),
      '',
      ...howToRevoke(userId, key, owner),
      ...ifUnexpected(mailContext),
    ],
  }
}

/** A program got the key with OAuth, because the user, or somebody in a session of the user, has allowed it. */
function programAllowed(mailContext: MailContext, key: ApiKey, at: string, owner: OwnerNotice): NoticeText {
  return {
    to: owner.to,
    subject: 'A program can use your account',
    text: [
      `A program was allowed to use your account ${owner.login} at ${owner.namedSite}`,
      '',
      `Calls itself: ${headerText(key.description)}`,
      `At:           ${at}`,
      `Scopes:       ${key.scopes.replaceAll(',', ', ')}`,
      '',
      `You can end its access at ${owner.site}/settings/access`,
      ...ifUnexpected(mailContext),
    ],
  }
}

/** With what the key may do now. */
export async function keyWidened(
  mailContext: MailContext,
  { userId, keyId, keyInUse, who, at }: NoticeOf<'key_widened'>,
  owner: OwnerNotice,
): Promise<NoticeText> {
  const { db } = mailContext
  const key = await getApiKey(db, userId, String(keyId))
  // The keys of another user are not named.
  const other = keyInUse === null || who !== userId ? undefined : await getApiKey(db, userId, String(keyInUse))
  const actor = other === undefined ? owner.actor : `${owner.actor}, with the API key ${headerText(other.description)}`
  return {
    to: owner.to,
    subject: 'An API key of your account may do more',
    text: [
      `An API key of your account ${owner.login} at ${owner.namedSite} has got another scope or a later end.`,
      '',
      ...factsOf(key, actor, at),
      '',
      ...howToRevoke(userId, key, owner),
      ...ifUnexpected(mailContext),
    ],
  }
}

function factsOf(key: ApiKey, actor: string, at: string) {
  return [
    `By:          ${actor}`,
    `At:          ${at}`,
    `Description: ${headerText(key.description)}`,
    `Scopes:      ${key.scopes.replaceAll(',', ', ')}`,
    `Expires:     ${key.expires_at ?? 'never'}`,
  ]
}

function howToRevoke(userId: number, { id }: ApiKey, { site }: OwnerNotice) {
  return [
    'Anyone who has the key can do in your name what its scopes allow.',
    `To revoke it, send is_revoked=true with PUT ${site}/rest/user/${userId}/api_key/${id}.`,
  ]
}
