import { useRef } from 'preact/hooks'

/** The browser's own dialog for files: put the input anywhere, and open the dialog from a button. */
export function useFileDialog(onFiles: (files: readonly File[]) => void) {
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    ),
  }
}
