// A dashboard and its changes. Each change is saved at once, with the version that was read.
import { useEffect, useRef, useState } from 'preact/hooks'
import { dashboardCall } from '../../../shared/first-calls.ts'
import { getOnce, isRefusedFor, put } from '../../core/server/rest.ts'
import { useData } from '../../core/server/use-data.ts'
import { showFault, showToast } from '../../core/toasts.ts'
import { type Dashboard, type PlacedTile, placed, type Tile } from './tiles.ts'

export interface DashboardState {
  dashboard: Dashboard | undefined
  tiles: readonly PlacedTile[]
  fault: Error | undefined
  reload(): void
  /** Shows the tiles at once, and saves them. */
  arrange(tiles: readonly PlacedTile[]): void
  /** Saves the tiles, then shows them. The refusal is for the form. */
  saveTiles(tiles: readonly PlacedTile[]): Promise<void>
  /** Saves name and groups. The refusal is for the form. */
  save(changes: { name?: string; shared_with?: string[] }): Promise<void>
}

export function useDashboard(id: string): DashboardState {
  const data = useData(dashboardCall(id))
  const read = data.body?.dashboards[0]
  const [tiles, setTiles] = useState<readonly PlacedTile[]>(() => placed(read?.tiles ?? []))
  const [dashboard, setDashboard] = useState<Dashboard | undefined>(read)
  const version = useRef(read?.version ?? 0)
  const last = useRef<Promise<unknown>>(Promise.resolve())

  const show = (next: Dashboard) => {
    version.current = next.version
    setDashboard(next)
    setTiles((before) => placed(next.tiles, before))
  }
  useEffect(() => {
    if (read !== undefined && (read.version > version.current || read.id !== dashboard?.id || dashboard === undefined))
      show(read)
  }, [read])

  const change = (changes: { name?: string; shared_with?: string[]; tiles?: Tile[] }) => {
    const saving = last.current
      .catch(() => {})
      .then(async () => {
        const headers = { 'If-Match': `"${version.current}"` }
        const { dashboards } = await put('/dashboard/:id', { id: Number(id), ...changes }, headers)
        const [next] = dashboards
        if (next === undefined) return
        version.current = next.version
        setDashboard(next)
      })
    last.current = saving
    return saving
  }
  /** Somebody else, or another window, was first: that is shown instead. */
  const readAgain = async () => {
    const { dashboards } = await getOnce(dashboardCall(id))
    if (dashboards[0] !== undefined) show(dashboards[0])
  }
  const giveUp = (fault: unknown) => {
    if (isRefusedFor(fault, 'dashboard_changed'))
      showToast({
        kind: 'failed',
        text: 'The dashboard was changed elsewhere meanwhile. It is shown as it is now.',
      })
    else showFault(fault)
    readAgain().catch(showFault)
  }
  return {
    dashboard: dashboard?.id === Number(id) ? dashboard : read,
    tiles,
    fault: data.fault,
    reload: data.reload,
    arrange(next) {
      setTiles(next)
      change({ tiles: tilesOf(next) }).catch(giveUp)
    },
    async saveTiles(next) {
      try {
        await change({ tiles: tilesOf(next) })
        setTiles(next)
      } catch (fault) {
        if (!isRefusedFor(fault, 'dashboard_changed')) throw fault
        giveUp(fault)
      }
    },
    async save(changes) {
      await change(changes)
    },
  }
}

function tilesOf(placed: readonly PlacedTile[]): Tile[] {
  return placed.map(({ tile }) => tile)
}
