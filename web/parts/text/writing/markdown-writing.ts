// Everything that is loaded when a text in Markdown is written.
export { MarkdownBar } from './markdown-bar.tsx'
export { handleMarkdownKey, handlePastedAddress, withPictures } from './markdown-keys.ts'
