import { type LinkTemplates, readLinkTemplates } from '../../../shared/text/link-templates.ts'

let kept: { text: string; templates: LinkTemplates | undefined } | undefined

/** The templates of the parameter `link_templates`. They are read once for each of its values. */
export function keptLinkTemplates(text: string): LinkTemplates | undefined {
  if (kept?.text !== text) {
    const read = readLinkTemplates(text)
    kept = { text, templates: typeof read === 'string' ? undefined : read }
  }
  return kept.templates
}
