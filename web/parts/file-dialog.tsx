import { useRef } from 'preact/hooks'

/** The browser's own dialog for files: put the input anywhere, and open the dialog from a button. `accept` limits it to some types. */
export function useFileDialog(onFiles: (files: readonly File[]) => void, accept?: string) {
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    ),
  }
}
