/** A field after the import, with the old name of its value table. */
export interface ImportedField {
  id: number
  name: string
  type: number
  isCustom: boolean
  /** Whether the source has it. Others have the values of a new installation. */
  isInSource: boolean
  controllerId: number | null
}
