import { hrefOf } from '../../../core/router.ts'
import { groupAddress, people, type Uses } from './group-state.ts'

const BOX = { width: 176, height: 44 }
const STEP = 60
/** From one column of boxes to the next. */
const ACROSS = 290
/** More than these are only in the lists. */
const MOST_DRAWN = 6
const LONGEST = 19
/** Above or below the beginning of an arrow, on the side that it does not bend to. */
const labelAt = (y: number, middle: number) => (y > middle ? y + 16 : y - 6)

/** One step each way. The sentence above and the lists below say the same. */
export function InheritanceDrawing({
  uses,
}: {
  uses: Pick<Uses, 'name' | 'members' | 'member_groups' | 'belongs_to'>
}) {
  const into = uses.member_groups.slice(0, MOST_DRAWN)
  const out = uses.belongs_to.slice(0, MOST_DRAWN)
  if (into.length + out.length === 0) return null
  const rows = Math.max(into.length, out.length, 1)
  // Without groups that are part of it, it begins at the left, which is all that a phone shows at first.
  const own = into.length === 0 ? 0 : ACROSS
  const last = out.length === 0 ? own : own + ACROSS
  const height = rows * STEP
  const middle = height / 2
  const yOf = (index: number, count: number) => middle + (index - (count - 1) / 2) * STEP
  const hidden = uses.member_groups.length - into.length + uses.belongs_to.length - out.length
  return (
    <div class="inheritance-around">
      <svg
        class={into.length > 0 && out.length > 0 ? 'inheritance' : 'inheritance is-narrow'}
        viewBox={`0 0 ${last + BOX.width} ${height}`}
        role="group"
        aria-label="Inheritance, drawn"
      >
        <defs>
          <marker
            id="inheritance-end"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path class="graph-head" d="M1 1 7 4 1 7z" />
          </marker>
        </defs>
        {into.map(({ name, members }, index) => (
          <g key={name}>
            <Arrow from={BOX.width} at={yOf(index, into.length)} to={own} until={middle} />
            <text class="inheritance-count" x={BOX.width + 12} y={labelAt(yOf(index, into.length), middle)}>
              {members !== undefined && people(members)}
            </text>
            <Box name={name} members={members} x={0} y={yOf(index, into.length)} />
          </g>
        ))}
        {out.map(({ name, members }, index) => (
          <g key={name}>
            <Arrow from={own + BOX.width} at={middle} to={last} until={yOf(index, out.length)} />
            <Box name={name} members={members} x={last} y={yOf(index, out.length)} />
          </g>
        ))}
        <Box name={uses.name} members={uses.members} x={own} y={middle} isOwn />
      </svg>
      {hidden > 0 && <p class="faint small">and {hidden} more in the lists below</p>}
    </div>
  )
}

function Arrow({ from, at, to, until }: { from: number; at: number; to: number; until: number }) {
  const bend = (to - from) / 2
  return (
    <path
      class="graph-edge"
      d={`M${from} ${at}C${from + bend} ${at} ${to - bend} ${until} ${to - 4} ${until}`}
      marker-end="url(#inheritance-end)"
    />
  )
}

interface BoxProps {
  name: string
  members: number | undefined
  x: number
  y: number
  isOwn?: boolean
}

function Box({ name, members, x, y, isOwn = false }: BoxProps) {
  const shown = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name
  const box = (
    <g class={isOwn ? 'inheritance-box is-own' : 'inheritance-box'}>
      <rect x={x + 1} y={y - BOX.height / 2} width={BOX.width - 2} height={BOX.height} rx={6} />
      <svg x={x + 12} y={y - BOX.height / 2} width={BOX.width - 20} height={BOX.height}>
        <title>{name}</title>
        <text y={19} class="inheritance-name">
          {shown}
        </text>
        <text y={36} class="inheritance-count">
          {members !== undefined && people(members)}
        </text>
      </svg>
    </g>
  )
  return isOwn ? box : <a href={hrefOf(groupAddress(name))}>{box}</a>
}
