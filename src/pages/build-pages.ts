// Builds the files of the pages, so that the first start does not have to. See src/pages/assets.ts.
import { loadAssets } from './assets.ts'

const { files } = await loadAssets()
console.log(`${files.size} files of the pages are built.`)
