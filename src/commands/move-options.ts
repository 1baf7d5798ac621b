/** The options of `lacewing move`. */
export interface MoveOptions {
  to?: string
  toFile?: string
  askPassword?: boolean
  evenIfServed?: boolean
}
