/** The options of `lacewing verify`, as the command line has them. */
export interface VerifyCommandOptions {
  old: string
  new: string
  as: string[]
  keys?: string
  sample?: string
  rate?: string
  concurrency?: string
  timeout?: string
  examples?: string
}

/** Those that are numbers. */
export interface VerifyNumbers {
  sample: number | undefined
  rate: number | undefined
  concurrency: number
  timeout: number
  examples: number
}
