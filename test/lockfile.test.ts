import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

interface Locked {
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Locked>
}

describe('package-lock.json', () => {
  // npm install leaves out packages for other systems when the registry does not have them, and npm ci then refuses the whole file.
  it('has every package that npm ci looks for, also those for other systems', () => {
    const missing = Object.entries(packages).flatMap(([place, locked]) =>
      wanted(locked).filter((name) => !isFoundFrom(place, name)),
    )
    assert.deepEqual(missing, [])
    assert.ok(Object.keys(packages).length > 50)
  })

  it('has the same version of Node for each kind of processor', () => {
    const versions = ['x64', 'arm64'].map((kind) => packages[`node_modules/node-linux-${kind}`]?.version)
    assert.match(versions[0] ?? '', /^24\./)
    assert.equal(versions[1], versions[0])
  })
})

function wanted({ dependencies, devDependencies, optionalDependencies }: Locked) {
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
}

/** As Node finds packages: beside, or in a folder further up. */
function isFoundFrom(place: string, name: string): boolean {
  if (`${place === '' ? '' : `${place}/`}node_modules/${name}` in packages) return true
  if (place === '') return false
  return isFoundFrom(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name)
}
