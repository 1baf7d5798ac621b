import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleServer } from '../src/bundle/build-bundle.ts'
import { DIGEST_FILE, digestOf } from '../src/bundle/bundle-sources.mjs'
import { TAR_END, tarHeader, tarPadding } from '../src/moving/archive/tar.ts'
import { savedFiles } from '../src/pages/assets.ts'
import { buildPages } from '../src/pages/build-pages.ts'

type Files = Map<string, Buffer>

/** What a release has as it is in a clone. The entry points have the same paths in both. */
const COPIED = [
  'bin/lacewing',
  'src/main.mjs',
  'src/main.ts',
  'src/lacewing.mjs',
  'src/bundle/bundle.mjs',
  'src/bundle/bundle-sources.mjs',
  'docs/**/*.{md,png,svg}',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
]
const PROGRAM = 'bin/lacewing'

/** Writes the archive of a release. Equal sources and packages give equal bytes. */
export async function writeRelease(root: string, folder: string) {
  const { name, version, ...others } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { description, license, type, engines, dependencies } = others
  const files: Files = new Map()
  for (const path of COPIED.flatMap((pattern) => globSync(pattern, { cwd: root })))
    files.set(path, readFileSync(join(root, path)))
  const scripts = { start: `exec ${PROGRAM} start` }
  const manifest = {
    name,
    version,
    private: true,
    description,
    license,
    type,
    bin: { [name]: PROGRAM },
    engines,
    scripts,
  }
  files.set('package.json', Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`))
  const server = await bundledServer(root)
  for (const [path, content] of server.files) files.set(`server/${path}`, content)
  for (const [path, content] of savedFiles(await buildPages(join(root, 'web'), true)))
    files.set(`pages/${path}`, content)
  files.set('LICENSES-OF-PACKAGES.txt', Buffer.from(licencesOf(root, server.packages, Object.keys(dependencies))))
  const file = join(folder, `${name}-${version}.tar.gz`)
  const archive = gzipSync(tarOf(`${name}-${version}`, files), { level: 9 })
  // A file that was not written to its end never has the final name.
  writeFileSync(`${file}.part`, archive)
  renameSync(`${file}.part`, file)
  return { file, files: files.size, bytes: archive.length, sha256: createHash('sha256').update(archive).digest('hex') }
}

async function bundledServer(root: string): Promise<{ files: Files; packages: string[] }> {
  const built = await bundleServer(root, join(root, 'server'))
  const files: Files = new Map(built.files.map(({ path, contents }) => [basename(path), Buffer.from(contents)]))
  files.set(DIGEST_FILE, Buffer.from(digestOf([...files.keys()], (hash, file) => hash.update(files.get(file) ?? ''))))
  const packages = built.inputs.flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
  return { files, packages }
}

/** `packages`: those in the bundle of the server. All others that the project depends on are in the pages. */
function licencesOf(root: string, packages: readonly string[], dependencies: readonly string[]): string {
  const all = [...new Set([...packages, ...dependencies.filter((name) => name !== 'esbuild'), '@preact/signals-core'])]
  return all
    .sort()
    .map((name) => licenceOf(join(root, 'node_modules', name), name))
    .join('\n')
}

function licenceOf(folder: string, name: string): string {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `== ${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

function tarOf(folder: string, files: Files): Buffer {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = sorted.flatMap(([path, content]) => {
    const name = `${folder}/${path}`
    if (name.length > 100) throw new Error(`${name} is too long for the archive`)
    return [tarHeader(name, content.length, path === PROGRAM ? 0o755 : 0o644), content, tarPadding(content.length)]
  })
  return Buffer.concat([...parts, TAR_END])
}
