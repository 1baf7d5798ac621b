// The style sheet of views that fewer readers open. The page names it at its place among the sheets, disabled until it is needed.

let loaded: Promise<void> | undefined

/** Loads the sheet, so that a view is not drawn before its style is there. */
export function loadStyleApart(): Promise<void> {
  loaded ??= load(document.getElementById('style-apart'))
  return loaded
}

async function load(link: HTMLElement | null) {
  if (!(link instanceof HTMLLinkElement) || !link.disabled) return
  const ends = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve(), { once: true })
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)), { once: true })
  })
  link.disabled = false
  await ends
}
