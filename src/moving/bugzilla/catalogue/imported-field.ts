/** A field after the import, with the old name of its value table. */
export interface ImportedField {
  id: number
  name: string
  type: number
  isCustom: boolean
  controllerId: number | null
}
