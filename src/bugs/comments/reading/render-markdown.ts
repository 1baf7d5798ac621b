import type { MarkdownNode } from '../../../../shared/text/markdown-tree.ts'
import { piecesOf } from '../../../../shared/text/text-pieces.ts'
import { keptLinkTemplates } from '../../../platform/config/link-templates.ts'
import { bugAddress, escaped, htmlOf, type RenderContext, type Titles, titlesFor } from './piece-html.ts'

/** A longer text would keep the event loop from other requests. */
const LONGEST_MARKDOWN = 10_000

/** Renders Markdown as HTML without line breaks of its own. Undefined if the text is too long or too deep: then it is plain text. */
export async function renderMarkdown(
  context: RenderContext,
  text: string,
  here: number | undefined,
): Promise<string | undefined> {
  if (text.length > LONGEST_MARKDOWN) return undefined
  const { markdownTree } = await import('../../../../shared/text/markdown-tree.ts')
  const tree = markdownTree(text)
  if (tree === undefined) return undefined
  const templates = keptLinkTemplates(context.settings.link_templates)
  const titles = await titlesFor(
    context,
    tree.flatMap(textsIn).flatMap((it) => piecesOf(it, templates)),
  )
  return tree.map((node) => htmlOfNode(node, titles, here)).join('')
}

/** The texts in which references become links. */
function textsIn(node: MarkdownNode): string[] {
  if (node.kind === 'text') return node.isInLink ? [] : [node.text]
  return 'children' in node ? node.children.flatMap(textsIn) : []
}

function htmlOfNode(node: MarkdownNode, titles: Titles, here: number | undefined): string {
  const inside = (children: readonly MarkdownNode[]) =>
    children.map((child) => htmlOfNode(child, titles, here)).join('')
  switch (node.kind) {
    case 'text':
      if (node.isInLink) return escaped(node.text)
      return piecesOf(node.text, titles.templates)
        .map((piece) => htmlOf(piece, titles, here))
        .join('')
    case 'code':
      return `<code>${escaped(node.text)}</code>`
    case 'block':
      return `<pre><code>${escaped(node.text)}</code></pre>`
    // Pages show the picture, if the reader may see it; here is what its author wrote about it.
    case 'picture':
      return escaped(node.text === '' ? 'Picture' : node.text)
    case 'task':
      return `<input type="checkbox" disabled${node.isDone ? ' checked' : ''}>`
    case 'link': {
      const address = addressOf(node.href, titles, here)
      const content = inside(node.children)
      return address === undefined ? content : `<a href="${address}" rel="nofollow noopener noreferrer">${content}</a>`
    }
    case 'element': {
      if (node.tag === 'br' || node.tag === 'hr') return `<${node.tag}>`
      const align = node.align === undefined ? '' : ` class="${node.align}"`
      const start = node.start === undefined ? '' : ` start="${node.start}"`
      return `<${node.tag}${align}${start}>${inside(node.children)}</${node.tag}>`
    }
  }
}

/** The whole address of a link, also of one to this server. */
function addressOf(href: string, titles: Titles, here: number | undefined): string | undefined {
  if (href.startsWith('#')) return here === undefined ? undefined : bugAddress(titles, here, Number(href.slice(2)))
  return escaped(href.startsWith('/') ? new URL(href, titles.baseUrl).href : href)
}
