// What is half written survives a reload, a crash and an expired session. Drafts stay in this browser, and only their author sees them there.

import { me } from '../account/session.ts'

/** Who writes here: also when the session has just expired. */
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
    // A browser that keeps nothing still lets one write.
  }
}

export function dropDraft(name: string) {
  localStorage.removeItem(keyOf(name))
}

export function draftNames(): string[] {
  const own = prefix()
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : []))
}
