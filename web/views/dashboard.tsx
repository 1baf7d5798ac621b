import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { MOST_TILES } from '../../shared/tile-kinds.ts'
import { useFields } from '../core/bugs/fields.ts'
import { goWith, hrefOf, query } from '../core/router.ts'
import { clockTime } from '../core/times.ts'
import { useTitle } from '../core/title.ts'
import { showToast } from '../core/toasts.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { PausedShares } from '../parts/share-badges.tsx'
import { Empty, LoadingPage, RefusedPage } from '../parts/states.tsx'
import { AsOf, asOfDay } from './dashboard/as-of.tsx'
import { DashboardMenu } from './dashboard/dashboard-menu.tsx'
import { FilterBar, FilterWords } from './dashboard/filter-bar.tsx'
import { filtersIn } from './dashboard/narrowed.ts'
import { TileCard } from './dashboard/tile.tsx'
import { TileDialog } from './dashboard/tile-dialog.tsx'
import { moved, newTile, type PlacedTile, resized } from './dashboard/tiles.ts'
import { useDashboard } from './dashboard/use-dashboard.ts'

const WALL_REFRESH_MILLISECONDS = 60_000

export function View({ parts }: { parts: Readonly<Record<string, string>> }) {
  const state = useDashboard(parts.id ?? '')
  const { dashboard, tiles, fault, reload, arrange } = state
  const fields = useFields()
  const isWall = query.value.get('wall') === '1'
  const areTables = query.value.get('view') === 'tables'
  const canArrange = dashboard?.can_change === true && !isWall && query.value.get('edit') === '1'
  const [edited, setEdited] = useState<PlacedTile | 'new'>()
  const filters = filtersIn(query.value)
  const { round, at } = useRounds(isWall, reload)
  const focusLater = useFocusAfterMove(tiles)
  useTitle(dashboard?.name ?? 'Dashboard')
  if (dashboard === undefined)
    return fault === undefined ? <LoadingPage /> : <RefusedPage fault={fault} retry={reload} />
  const actionsOf = ({ key }: PlacedTile, place: number) => ({
    place,
    count: tiles.length,
    move: (to: number) => {
      focusLater()
      arrange(moved(tiles, key, to))
    },
    resize: (by: 1 | -1) => arrange(resized(tiles, key, by)),
    change: () => setEdited(tiles[place]),
    remove: () => {
      arrange(tiles.filter((it) => it.key !== key))
      showToast({ kind: 'done', text: 'The tile is removed.', action: { name: 'Undo', run: () => arrange(tiles) } })
      document.querySelector<HTMLElement>('.dashboard-add')?.focus()
    },
    drop: (dragged: number) => arrange(moved(tiles, dragged, place)),
  })
  return (
    <main id="main" class={isWall ? 'dashboard is-wall' : 'dashboard'}>
      <div class="dashboard-head">
        <div class="grow">
          {!isWall && (
            <nav class="breadcrumbs" aria-label="Where this is">
              <a href={hrefOf('/dashboards')}>Dashboards</a>
            </nav>
          )}
          <h1 dir="auto">{dashboard.name}</h1>
        </div>
        {isWall ? (
          <WallButtons at={at} />
        ) : (
          <>
            <AsOf />
            <Button
              icon={areTables ? 'chart' : 'table'}
              onClick={() => goWith({ view: areTables ? undefined : 'tables' })}
            >
              {areTables ? 'Charts' : 'Tables'}
            </Button>
            {dashboard.can_change && (
              <Button icon="edit" onClick={() => goWith({ edit: canArrange ? undefined : '1' })}>
                {canArrange ? 'Done' : 'Edit'}
              </Button>
            )}
            <DashboardMenu dashboard={dashboard} save={state.save} />
          </>
        )}
      </div>
      {isWall ? (
        <FilterWords fields={fields} filters={filters} />
      ) : (
        <div class="dashboard-about">
          <FilterBar fields={fields} filters={filters} />
          <p class="muted">Only bugs that you may see are counted, by days of UTC.{sharing(dashboard)}</p>
          <PausedShares paused={dashboard.paused_shares} />
        </div>
      )}
      {tiles.length === 0 && (
        <Empty icon="chart" title="No tiles yet">
          <p>
            {!dashboard.can_change
              ? 'Its owner has not added any.'
              : `${canArrange ? 'Add' : 'Choose Edit, then add'} a report, a list or a number.`}
          </p>
        </Empty>
      )}
      <div class="dashboard-grid">
        {tiles.map((placed, place) => (
          <TileCard
            key={placed.key}
            {...{ placed, fields, filters, areTables, isWall, round }}
            asOf={asOfDay()}
            actions={canArrange ? actionsOf(placed, place) : undefined}
          />
        ))}
      </div>
      {canArrange && tiles.length < MOST_TILES && (
        <button type="button" class="button dashboard-add" onClick={() => setEdited('new')}>
          <Icon name="plus" />
          Add a tile
        </button>
      )}
      {edited !== undefined && (
        <TileDialog
          tile={edited === 'new' ? undefined : edited.tile}
          fields={fields}
          onClose={() => setEdited(undefined)}
          onSave={async (tile) => {
            await state.saveTiles(
              edited === 'new'
                ? [...tiles, newTile(tile)]
                : tiles.map((it) => (it.key === edited.key ? { key: it.key, tile } : it)),
            )
            setEdited(undefined)
          }}
        />
      )}
    </main>
  )
}

function sharing({ shared_with, can_change, owner }: { shared_with: string[]; can_change: boolean; owner: string }) {
  if (!can_change) return ` It belongs to ${owner}.`
  return shared_with.length === 0 ? ' Nobody else sees this dashboard.' : ` Shared with ${shared_with.join(', ')}.`
}

/** On a wall everything is read again each minute, while it is seen. */
function useRounds(isWall: boolean, reload: () => void) {
  const [state, setState] = useState({ round: 0, at: new Date() })
  useEffect(() => {
    if (!isWall) return
    const timer = setInterval(() => {
      if (document.hidden) return
      reload()
      setState(({ round }) => ({ round: round + 1, at: new Date() }))
    }, WALL_REFRESH_MILLISECONDS)
    return () => clearInterval(timer)
  }, [isWall])
  return state
}

/** An element that is moved in the page loses the focus; it gets it back. */
function useFocusAfterMove(tiles: readonly PlacedTile[]) {
  const focused = useRef<HTMLElement | undefined>(undefined)
  useLayoutEffect(() => {
    focused.current?.focus()
    focused.current = undefined
  }, [tiles])
  return () => {
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  }
}

function WallButtons({ at }: { at: Date }) {
  return (
    <div class="row">
      <span class="muted">{`As of ${clockTime(at)}`}</span>
      <Button size="small" onClick={() => void document.documentElement.requestFullscreen?.()}>
        Full screen
      </Button>
      <Button
        size="small"
        onClick={() => {
          if (document.fullscreenElement !== null) void document.exitFullscreen()
          goWith({ wall: undefined }, 'push')
        }}
      >
        Leave the wall view
      </Button>
    </div>
  )
}
