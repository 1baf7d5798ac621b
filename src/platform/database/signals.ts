/** The reasons for which a process can be woken. */
export type SignalTopic = 'outbox' | 'events' | 'jobs'

/** Listeners in this process. A listener is only woken: it checks by itself what there is to do. */
export class Signals {
  private readonly listeners = new Map<SignalTopic, Set<() => void>>()

  /** Returns a function that stops the listener. */
  listen(topic: SignalTopic, listener: () => void): () => void {
    const known = this.listeners.get(topic) ?? new Set()
    this.listeners.set(topic, known.add(listener))
    return () => void known.delete(listener)
  }

  ring(topic: SignalTopic) {
    for (const listener of this.listeners.get(topic) ?? []) listener()
  }

  /** For when a signal may have been missed. */
  ringAll() {
    for (const topic of this.listeners.keys()) this.ring(topic)
  }
}

/** The signals that a transaction sends after its commit. */
export class Announcements {
  private readonly topics = new Set<SignalTopic>()

  add(topic: SignalTopic) {
    this.topics.add(topic)
  }

  ringIn(signals: Signals) {
    for (const topic of this.topics) signals.ring(topic)
  }
}
