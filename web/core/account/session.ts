// Who reads the page.

import { computed, signal } from '@preact/signals'
import { PARAMETERS_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { forgetAnswers } from '../server/known-answers.ts'
import { get, getOnce, isSessionOver, isSignedIn, post, remove } from '../server/rest.ts'
import type { Me, Parameters } from '../server/types.ts'

/** Undefined for anonymous readers. */
export const me = signal<Me | undefined>(undefined)
export const parameters = signal<Parameters>({})

/** Whether new comments are Markdown here. */
export const usesMarkdown = computed(() => parameters.value.use_markdown === '1')

const foldedTags = computed(
  () =>
    new Set(
      (parameters.value.collapsed_comment_tags ?? '')
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    ),
)

/** Whether a tag of a comment says that it is not worth reading any more. */
export function isFoldedByTag({ tags = [] }: { tags?: readonly string[] }) {
  return tags.some((tag) => foldedTags.value.has(tag.toLowerCase()))
}

export const isAdmin = computed(() => me.value?.groups.includes('admin') ?? false)
export const managesProducts = computed(() => me.value?.groups.includes('editcomponents') ?? false)
/** May change all products, or only some of them. */
export const administersProducts = computed(() => me.value?.administers_products ?? false)
export const choosesMembers = computed(() => me.value?.chooses_members ?? false)
export const managesClassifications = computed(() => me.value?.groups.includes('editclassifications') ?? false)
export const managesGroups = computed(() => me.value?.groups.includes('creategroups') ?? false)
export const managesAccounts = computed(() => me.value?.groups.includes('editusers') ?? false)
export const editsKeywords = computed(() => me.value?.groups.includes('editkeywords') ?? false)
export const changesParameters = computed(() => me.value?.groups.includes('tweakparams') ?? false)
/** Members of editusers choose members on the page of each person. */
export const managesMembers = computed(() => managesGroups.value || (choosesMembers.value && !managesAccounts.value))

/** Whether some place of the administration is open to the reader: those places are loaded when they are needed (admin-places.ts). */
export const isInAdministration = computed(() =>
  [
    ...[isAdmin, administersProducts, managesClassifications, managesAccounts, managesMembers],
    ...[editsKeywords, changesParameters],
  ].some(({ value }) => value),
)

export async function loadSession() {
  const [who, set] = await Promise.allSettled([get(addressOf('/whoami')), get(PARAMETERS_CALL)])
  const next = who.status === 'fulfilled' ? withGroupNames(who.value) : undefined
  // Responses that another user has read are not shown to this one.
  if (next?.id !== me.value?.id) forgetAnswers()
  me.value = next
  isSignedIn.value = next !== undefined
  if (set.status === 'fulfilled') parameters.value = set.value.parameters
}

type Whoami = Omit<Me, 'groups'> & { groups: { name: string }[] }

function withGroupNames({ groups, ...who }: Whoami): Me {
  return { ...who, groups: groups.map(({ name }) => name) }
}

/** The number of logins since the page was loaded. */
export const logIns = signal(0)

/** `totp` is the code of a second factor, once the server has asked for it. */
export async function signIn(login: string, password: string, isKept: boolean, totp?: string) {
  await post('/session', { login, password, is_kept: isKept, ...(totp !== undefined && { totp }) })
  await sessionOpened()
}

/** Call this after a session was opened by any kind of login. */
export async function sessionOpened() {
  isSessionOver.value = false
  await loadSession()
  logIns.value++
}

/** A refused response shows that the session has ended. Calls that anonymous readers may make are never refused. */
export async function checkSession() {
  if (isSignedIn.value) await getOnce(addressOf('/whoami')).catch(() => undefined)
}

export async function signOut() {
  await remove('/session', {})
  // Drops everything that was read with the old rights.
  location.assign(`${document.getElementById('first-data')?.dataset.root ?? ''}/`)
}
