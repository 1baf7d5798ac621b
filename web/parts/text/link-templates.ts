import { effect, signal } from '@preact/signals'
import type { LinkTemplates } from '../../../shared/text/link-templates.ts'
import { parameters } from '../../core/account/session.ts'

/** What becomes a link in texts of this installation, besides addresses and bugs. Few installations have any, so the script is loaded apart. */
export const linkTemplates = signal<LinkTemplates | undefined>(undefined)

effect(() => {
  const text = parameters.value.link_templates ?? ''
  if (text === '') linkTemplates.value = undefined
  else void load(text)
})

async function load(text: string) {
  // Without the script the words stay text.
  const script = await import('../../../shared/text/link-templates.ts').catch(() => undefined)
  const read = script?.readLinkTemplates(text)
  if (typeof read === 'object' && parameters.peek().link_templates === text) linkTemplates.value = read
}
