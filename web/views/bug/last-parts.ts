// What the page of a bug needs only after some seconds: one script.
export { AboveComposer } from './above-composer.tsx'
export { Presence } from './presence.tsx'
