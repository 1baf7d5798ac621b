// A comment in Markdown. The parser is a script of its own, loaded when the first such comment is shown; until then the text is plain.
import { signal } from '@preact/signals'
import { Fragment, h, type VNode } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { MarkdownNode, markdownTree } from '../../../shared/text/markdown-tree.ts'
import { late } from '../late.tsx'
import { CodeBlock } from './code-block.tsx'
import { OutsideLink, TextWithLinks } from './text-with-links.tsx'

/** Few texts have pictures or tasks. */
const AttachedPicture = late(async () => (await import('./attached-picture.tsx')).AttachedPicture)
const TaskBox = late(async () => (await import('./task-box.tsx')).TaskBox)

const parse = signal<typeof markdownTree | undefined>(undefined)

async function loadParser() {
  if (parse.value !== undefined) return
  const loaded = await import('../../../shared/text/markdown-tree.ts')
  parse.value = loaded.markdownTree
}

interface Props {
  text: string
  /** The bug that the text belongs to, for “comment 3”. */
  bugId?: number | undefined
}

/** Text as Markdown, for inside of `.prose`. A text that is too deep or too large for it is shown as it was typed. */
export function Markdown({ text, bugId }: Props) {
  useEffect(() => {
    // Without the parser the text stays plain, which can be read.
    loadParser().catch(() => undefined)
  }, [])
  const toTree = parse.value
  const tree = useMemo(() => toTree?.(text), [toTree, text])
  return useMemo(
    () =>
      tree === undefined ? (
        <p class="typed-text">
          <TextWithLinks text={text} bugId={bugId} />
        </p>
      ) : (
        <Nodes nodes={tree} bugId={bugId} />
      ),
    [tree, text, bugId],
  )
}

interface NodesProps {
  nodes: readonly MarkdownNode[]
  bugId: number | undefined
}

function Nodes({ nodes, bugId }: NodesProps) {
  return (
    <>
      {nodes.map((node, place) => (
        <Fragment key={place}>{elementOf(node, bugId)}</Fragment>
      ))}
    </>
  )
}

function elementOf(node: MarkdownNode, bugId: number | undefined): VNode | string {
  switch (node.kind) {
    case 'text':
      return node.isInLink ? node.text : <TextWithLinks text={node.text} bugId={bugId} />
    case 'link':
      return (
        <OutsideLink href={node.href}>
          <Nodes nodes={node.children} bugId={bugId} />
        </OutsideLink>
      )
    case 'code':
      return <code>{node.text}</code>
    case 'block':
      return <CodeBlock text={node.text} language={node.language} />
    case 'picture':
      return <AttachedPicture reference={node.reference} text={node.text} />
    case 'task':
      return <TaskBox {...node} />
    case 'element':
      return blockOf(node, bugId)
  }
}

function blockOf(node: Extract<MarkdownNode, { kind: 'element' }>, bugId: number | undefined): VNode {
  const { tag, align, start, children } = node
  if (tag === 'br' || tag === 'hr') return h(tag, null)
  const props = { ...(align !== undefined && { class: `markdown-${align}` }), ...(start !== undefined && { start }) }
  const element = h(tag, props, <Nodes nodes={children} bugId={bugId} />)
  if (tag !== 'table') return element
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached with keys
    <div class="markdown-table" role="region" aria-label="Table" tabIndex={0}>
      {element}
    </div>
  )
}
