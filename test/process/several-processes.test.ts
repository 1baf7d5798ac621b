import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { readMetrics } from '../support/metrics.ts'
import { newInstallation, ServerProcess, stopAll } from '../support/server-process.ts'

after(stopAll)

const REQUESTS = 40

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`/metrics of several processes (${engine})`, () => {
    it('shows the figures of each process with its number, and those of the installation once', async () => {
      const server = new ServerProcess({ ...(await newInstallation(engine)), LACEWING_PROCESSES: '2' })
      const { url } = await server.listening()
      for (let sent = 0; sent < REQUESTS; sent++)
        await fetch(`${url}/rest/version`, { headers: { Connection: 'close' } }).then((reply) => reply.text())
      const figures = await readMetrics(url)
      const counts = [1, 2].map((process) => {
        assert.ok((figures.get(`process_resident_memory_bytes{process="${process}"}`) ?? 0) > 0, `${process}`)
        const isCounted = new RegExp(`^lacewing_requests_total\\{process="${process}",.*path="[^"]*/version"`)
        return [...figures].find(([name]) => isCounted.test(name))?.[1] ?? 0
      })
      assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), REQUESTS, [...figures.keys()].join('\n'))
      assert.equal(figures.get('lacewing_queue_waiting{queue="mail"}'), 0)
      await server.stop()
    })
  })
