// What is half written survives a reload, a crash and an expired session. Drafts stay in this browser.

const PREFIX = 'lacewing draft '

function keyOf(name: string) {
  return `${PREFIX}${name}`
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
  return Object.keys(localStorage).flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []))
}
