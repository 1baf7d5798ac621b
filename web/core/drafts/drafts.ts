// Drafts survive a reload, a crash and an expired session. They stay in this browser, and only their author sees them.

import { me } from '../account/session.ts'

/** The user whose drafts these are, also after the session has expired. */
let author = 'nobody'

function prefix() {
  if (me.value !== undefined) author = String(me.value.id)
  return `lacewing draft ${author} `
}

/** The key under which a draft of this user is kept. */
export function keyOf(name: string) {
  return `${prefix()}${name}`
}

export function readDraft<Draft>(name: string): Draft | undefined {
  try {
    const text = localStorage.getItem(keyOf(name))
    return text === null ? undefined : (JSON.parse(text) as Draft)
  } catch {
    return undefined
  }
}

export function keepDraft(name: string, draft: unknown) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(draft))
  } catch {
    // Without storage in the browser, drafts are not kept, but writing works.
  }
}

export function dropDraft(name: string) {
  localStorage.removeItem(keyOf(name))
}

export function draftNames(): string[] {
  const own = prefix()
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : []))
}
