let isPressed = false
addEventListener('pointerdown', () => (isPressed = true), true)
for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => (isPressed = false), true)

/**
 * In a dialog the list takes its place among the rest, which moves when it closes. A button that is being pressed must not move away
 * from the pointer: the click would be lost.
 */
export function afterPress(run: () => void) {
  if (!isPressed) return run()
  const end = () => {
    for (const event of ['pointerup', 'pointercancel']) removeEventListener(event, end, true)
    setTimeout(run)
  }
  for (const event of ['pointerup', 'pointercancel']) addEventListener(event, end, true)
}
