/** The HTML of a page: its data, and the files that show it. It has no inline script or style, so that the policy can forbid both. */
export interface PageShell {
  /** Shown by link previews and by browsers without scripts. */
  title: string
  /** The path of the base address. */
  root: string
  script: string
  style: string
  /** Scripts that the view needs besides the first one. */
  preload: readonly string[]
  /** Chosen by the reader; undefined for that of their system. */
  theme: string | undefined
  density: string | undefined
  /** JSON. */
  data: string
}

export const SHELL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function htmlOf(shell: PageShell): string {
  const { root, theme, density } = shell
  const chosen = [theme && `data-theme="${theme}"`, density && `data-density="${density}"`].filter(Boolean)
  const preload = shell.preload.map((file) => `<link rel="modulepreload" href="${root}/assets/${file}">`)
  return `<!doctype html>
<html lang="en" ${chosen.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(shell.title)}</title>
<link rel="icon" type="image/svg+xml" href="${root}/assets/icon.svg">
<link rel="stylesheet" href="${root}/assets/${shell.style}">
${preload.join('\n')}
<script type="module" src="${root}/assets/${shell.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="no-script">The pages of Lacewing need JavaScript. The same data is available through <a href="${root}/rest/docs">the REST API</a>.</p></noscript>
<script type="application/json" id="first-data" data-root="${root}">${shell.data.replaceAll('<', '\\u003c')}</script>
</body>
</html>
`
}

export function escaped(text: string) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
