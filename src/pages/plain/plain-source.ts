import type { Address } from '../../../shared/rest-address.ts'
import type { Html } from './html.ts'

/** A page for readers whose browser runs no scripts, and for programs that read pages. */
export interface PlainPage {
  /** Without the name of the installation. */
  title: string
  description?: string
  /** The one address of what the page shows, below the base address; none for searches. */
  canonical?: string
  content: Html
}

/** The responses of the calls that the page comes with. */
export interface PlainSource {
  /** The path of the base address. */
  root: string
  /** The response of a call; undefined if it was refused, or was too long to come with the page. */
  bodyOf<Body>(address: Address): Body | undefined
  /** Those of the installation that pages read, as far as the reader may. */
  parameters: Readonly<Record<string, string>>
}
