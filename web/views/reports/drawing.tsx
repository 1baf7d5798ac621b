import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Chart, Legend } from './chart.tsx'
import { type ChartData, drawnData } from './chart-data.ts'
import { namedData } from './chart-names.ts'

const NARROWEST = 260

interface Props {
  data: ChartData
  /** How much larger than usual letters are. */
  scale?: number
}

/** A chart as wide as its place, with letters of one size. */
export function Drawing({ data, scale = 1 }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => setWidth(Math.round(current.clientWidth)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const drawn = drawnData(namedData(data))
  return (
    <div ref={box} class="chart-drawing">
      <Legend data={drawn} />
      {width > 0 && <Chart data={drawn} width={Math.max(NARROWEST, width / scale)} />}
    </div>
  )
}
