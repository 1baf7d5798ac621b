// What a bug depends on and what it blocks: as a tree, and as a picture. Loaded when it is wanted.

import { addressOf } from '../../../../shared/rest-address.ts'
import { currentAddress, hrefOf } from '../../../core/router.ts'
import { useData } from '../../../core/server/use-data.ts'
import { displayValue, Status, statusShape } from '../../../parts/glyphs.tsx'
import { ScrollRegion } from '../../../parts/scroll-region.tsx'
import { Empty, Refused, Skeleton } from '../../../parts/states.tsx'
import { useBug } from '../use-bug.ts'
import { type Graph, type GraphBug, HEIGHT, layOutGraph, WIDTH } from './graph-layout.ts'

export function DependencyView({ kind }: { kind: 'tree' | 'graph' }) {
  const { id } = useBug()
  const { body, fault } = useData(addressOf('/bug/:ref/graph', { ref: id, depth: '5' }))
  const address = (view: string) => hrefOf(`${currentAddress.value.path}?view=${view}`)
  return (
    <section class="graph-view" aria-label="Dependencies">
      <div class="stream-head">
        <nav class="tabs" aria-label="How dependencies are shown">
          <a href={address('tree')} aria-current={kind === 'tree' ? 'page' : undefined}>
            Tree
          </a>
          <a href={address('graph')} aria-current={kind === 'graph' ? 'page' : undefined}>
            Graph
          </a>
          <a href={hrefOf(currentAddress.value.path)}>Back to the bug</a>
        </nav>
      </div>
      {fault !== undefined && <Refused fault={fault} />}
      {body === undefined ? <Skeleton /> : <Drawn graph={body} kind={kind} />}
    </section>
  )
}

function Drawn({ graph, kind }: { graph: Graph; kind: 'tree' | 'graph' }) {
  if (graph.links.length === 0)
    return (
      <Empty icon="tree" title="No bug depends on this one, and it depends on none">
        <p>Add one under “Depends on” or “Blocks”, and it is drawn here.</p>
      </Empty>
    )
  return (
    <>
      {!graph.is_complete && <p class="note">There are more bugs than can be drawn; these are the nearest.</p>}
      {kind === 'graph' && <p class="faint small">An arrow leads from a bug to one that it depends on.</p>}
      {kind === 'tree' ? <Trees graph={graph} /> : <Picture graph={graph} />}
    </>
  )
}

function Trees({ graph }: { graph: Graph }) {
  const bugs = new Map(graph.bugs.map((bug) => [bug.id, bug]))
  const down = (id: number) => graph.links.filter(({ from }) => from === id).map(({ to }) => to)
  const up = (id: number) => graph.links.filter(({ to }) => to === id).map(({ from }) => from)
  return (
    <>
      <h2>Depends on</h2>
      <Branch id={graph.id} bugs={bugs} next={down} path={[graph.id]} />
      <h2>Blocks</h2>
      <Branch id={graph.id} bugs={bugs} next={up} path={[graph.id]} />
    </>
  )
}

interface BranchProps {
  id: number
  bugs: ReadonlyMap<number, GraphBug>
  next(id: number): number[]
  path: readonly number[]
}

function Branch({ id, bugs, next, path }: BranchProps) {
  const children = next(id).filter((child) => bugs.has(child) && !path.includes(child))
  if (children.length === 0) return path.length === 1 ? <p class="faint">No bug.</p> : null
  return (
    <ul class="tree">
      {children.map((child) => {
        const bug = bugs.get(child) as GraphBug
        return (
          <li key={child}>
            <span class="row">
              <Status value={bug.status} isOpen={bug.is_open} short />
              <a class={bug.is_open ? 'reference' : 'reference is-closed'} href={hrefOf(`/bug/${bug.id}`)}>
                {bug.id}
              </a>
              <span class={bug.is_open ? 'truncated' : 'truncated faint'} dir="auto">
                {bug.summary}
              </span>
            </span>
            <Branch id={child} bugs={bugs} next={next} path={[...path, child]} />
          </li>
        )
      })}
    </ul>
  )
}

const LETTERS_IN_BOX = 34

/** Each bug is a box, and each arrow leads from a bug to the one that it depends on. */
function Picture({ graph }: { graph: Graph }) {
  const { nodes, edges, width, height } = layOutGraph(graph)
  return (
    <ScrollRegion class="graph-box" label="Dependency graph">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>Bugs that {graph.id} depends on, below it, and those that wait for it, above</title>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" class="graph-head" />
          </marker>
        </defs>
        {edges.map(({ key, path }) => (
          <path key={key} d={path} class="graph-edge" marker-end="url(#arrow)" />
        ))}
        {nodes.map(({ bug, x, y }) => (
          <a key={bug.id} href={hrefOf(`/bug/${bug.id}`)} class={boxClass(graph, bug)}>
            <title>{`${bug.id} ${bug.summary} (${displayValue(bug.status)})`}</title>
            <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="6" />
            <text x={x + 10} y={y + 18} class="graph-id">
              {bug.id} · {displayValue(bug.status)}
            </text>
            <text x={x + 10} y={y + 36}>
              {shortened(bug.summary)}
            </text>
          </a>
        ))}
      </svg>
    </ScrollRegion>
  )
}

function boxClass(graph: Graph, bug: GraphBug) {
  const own = bug.id === graph.id ? ' is-own' : ''
  return `graph-bug status-${statusShape(bug.status, bug.is_open)}${own}${bug.is_open ? '' : ' is-closed'}`
}

function shortened(summary: string) {
  const letters = [...summary]
  return letters.length <= LETTERS_IN_BOX ? summary : `${letters.slice(0, LETTERS_IN_BOX - 1).join('')}…`
}
