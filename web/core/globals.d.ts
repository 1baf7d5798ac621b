declare module '*.svg' {
  /** The name of the file, relative to the script. */
  const path: string
  export default path
}
