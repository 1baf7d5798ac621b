import assert from 'node:assert/strict'

/** The values of /metrics, by name and labels as they are printed. */
export async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const values = lines.map((line) => /^(.+) (\S+)$/.exec(line) as unknown as [string, string, string])
  assert.equal(new Set(values.map(([, name]) => name)).size, values.length, 'A value is there twice')
  return new Map(values.map(([, name, value]) => [name, Number(value)]))
}
