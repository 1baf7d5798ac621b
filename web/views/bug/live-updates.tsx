export function LiveUpdates() {
  return null
}
