import type { Tool } from './tool.ts'
import { addComment } from './tools/add-comment.ts'
import { attachFile } from './tools/attach-file.ts'
import { changeBug } from './tools/change-bug.ts'
import { countBugs } from './tools/count-bugs.ts'
import { fileBug } from './tools/file-bug.ts'
import { findDuplicates } from './tools/find-duplicates.ts'
import { getAttachment } from './tools/get-attachment.ts'
import { getBug } from './tools/get-bug.ts'
import { getProduct } from './tools/get-product.ts'
import { searchBugs } from './tools/search-bugs.ts'

/** In the order in which programs get them, which never changes by itself: models and caches rely on it. */
export const TOOLS: readonly Tool[] = [
  searchBugs,
  getBug,
  getAttachment,
  findDuplicates,
  getProduct,
  countBugs,
  fileBug,
  addComment,
  changeBug,
  attachFile,
]

export function toolNamed(name: unknown): Tool | undefined {
  return TOOLS.find((tool) => tool.name === name)
}
