import type { Duplex } from 'node:stream'

/** No statement for this long after its COMMIT or ROLLBACK: the transaction has nothing more to say. */
const QUIET_MS = 1000
/** ReadyForQuery without its last byte, the state: I outside, T or E inside a transaction. */
const READY = Buffer.from([0x5A, 0, 0, 0, 5])
const IDLE = 'I'.charCodeAt(0)
const FAILED_TRANSACTION = Buffer.concat([READY, Buffer.from('E')])
const ERROR_RESPONSE = 'E'.charCodeAt(0)

/**
 * postgres.js 3.4 dies when a connection breaks inside a transaction: it forgets its socket and then writes
 * the ROLLBACK to it, from a timer whose error no caller can catch (porsager/postgres#1208, #1168). So it gets sockets
 * of ours: inside a transaction each statement gets an error at the end, and the close is emitted only after the
 * transaction's COMMIT or ROLLBACK, however late that comes. After an earlier close the driver would give the
 * connection to another transaction, and late statements of the first, even its COMMIT, would run in that one. Outside
 * of a transaction nothing changes.
 */
export function outliveTransaction(socket: Duplex): Duplex {
  const emit = socket.emit.bind(socket)
  const write = socket.write.bind(socket) as (chunk: Buffer, done?: () => void) => boolean
  let state: 'alive' | 'leaving' | 'refusing' | 'closed' = 'alive'
  let isExplained = false
  let quiet: NodeJS.Timeout | undefined
  const session = watchSession()
  const transaction = watchTransaction()
  const whole = wholeMessages()

  /** What asked for this connection would never hear of a close that nothing explains: the driver just tries again. */
  function explain() {
    if (!session.isReady() && !isExplained) emit('error', broken())
  }

  function close() {
    if (state === 'closed') return
    state = 'closed'
    emit('close', false)
  }

  /**
   * postgres.js puts each write off to the end of the turn; a close that comes before it would leave that connection
   * mute for ever. Timers run after such writes, and a write that comes now is the moment when none is waiting.
   */
  function leave() {
    state = 'leaving'
    setTimeout(close, 0)
  }

  /** Answers what was asked on the broken connection, until its transaction is over and silent. */
  function refuse() {
    if (state === 'closed') return
    state = 'refusing'
    emit('error', broken())
    // What waits in the transaction, its ROLLBACK above all, comes out only when the server is ready for it.
    emit('data', FAILED_TRANSACTION)
    clearTimeout(quiet)
    if (transaction.isOver()) quiet = setTimeout(close, QUIET_MS)
  }

  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === 'data') {
      const messages = whole(args[0] as Buffer)
      const chunk = session.isReady() ? stripShutdownError(messages) : messages
      session.note(chunk)
      return chunk.length > 0 ? emit('data', chunk) : true
    }
    if (event === 'error') {
      isExplained = true
      return emit(event, isLateWrite(args[0]) ? broken() : args[0])
    }
    if (event !== 'close') return emit(event, ...args)
    explain()
    if (session.isInside()) refuse()
    else leave()
    return true
  }
  function send(chunk: Buffer, done?: () => void): boolean {
    if (session.isReady()) transaction.note(chunk) // the messages before that have no type
    if (state === 'alive') return write(chunk, done)
    clearTimeout(quiet)
    if (state === 'leaving') process.nextTick(close)
    else setImmediate(refuse)
    return true
  }
  // Node replaces the method when the server closes first.
  return Object.defineProperty(socket, 'write', { get: () => send, set() {} })
}

/**
 * Between the server's end and the close, Node ends our side and answers what is written then with an error of its own.
 */
const isLateWrite = (error: unknown) =>
  ['ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_DESTROYED'].includes((error as { code?: string }).code ?? '')

const broken = () => Object.assign(new Error('the connection to the database broke'), { code: 'CONNECTION_CLOSED' })

/** What the server's answers say: logged in, and inside a transaction. */
function watchSession() {
  let state: number | undefined
  return {
    isReady: () => state !== undefined,
    isInside: () => state !== undefined && state !== IDLE,
    /** Whole messages. A notice may follow the one that gives the state: of an immediate shutdown, for example. */
    note(messages: Buffer) {
      for (let at = 0; at + 5 <= messages.length; at += 1 + messages.readUInt32BE(at + 1)) {
        if (messages[at] === READY[0]) state = messages[at + READY.length]
      }
    }
  }
}

/** What the driver begins and ends a transaction with; ROLLBACK TO ends a savepoint only. */
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const END = /^\s*(?:commit|rollback(?!\s+to\b)|prepare\s+transaction)\b/i
const [PARSE, BIND, QUERY] = ['P', 'B', 'Q'].map(letter => letter.charCodeAt(0))

/**
 * Whether the transaction's COMMIT or ROLLBACK was said, from the driver's messages; it writes whole ones (PostgreSQL:
 * protocol, message formats).
 */
function watchTransaction() {
  const prepared = new Map<string, string>()
  let isOver = false
  function hear(statement = '') {
    if (END.test(statement)) isOver = true
    else if (BEGIN.test(statement)) isOver = false
  }
  return {
    isOver: () => isOver,
    note(chunk: Buffer) {
      for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
        const type = chunk[at]
        if (type === QUERY) hear(textAt(chunk, at + 5))
        if (type !== PARSE && type !== BIND) continue
        const second = textAt(chunk, chunk.indexOf(0, at + 5) + 1)
        if (type === PARSE) prepared.set(textAt(chunk, at + 5), second) // name, statement
        else hear(prepared.get(second)) // portal, name
      }
    }
  }
}

/**
 * A text of a message, its first 60 bytes: enough for a keyword, and for the names that the driver gives to statements.
 */
const textAt = (chunk: Buffer, start: number) =>
  chunk.toString('latin1', start, Math.min(chunk.indexOf(0, start), start + 60))

/**
 * Holds back the beginning of a message whose end has not come: what we say in the server's place must not land in the
 * middle of one.
 */
function wholeMessages() {
  let held: Buffer[] = []
  let [size, due] = [0, 0]
  return (chunk: Buffer): Buffer => {
    held.push(chunk)
    size += chunk.length
    if (size < due) return Buffer.alloc(0)
    const all = held.length === 1 ? chunk : Buffer.concat(held)
    let at = 0
    const end = () => all.length - at < 5 ? at + 5 : at + 1 + all.readUInt32BE(at + 1)
    while (end() <= all.length) at = end()
    due = end() - at
    size = all.length - at
    held = size > 0 ? [all.subarray(at)] : []
    return all.subarray(0, at)
  }
}

/**
 * Of the server's last message before it closes: postgres.js would give it to the next connection's first statement.
 */
function stripShutdownError(chunk: Buffer): Buffer {
  if (chunk.at(-1) !== 0 || chunk.at(-2) !== 0) return chunk
  const start = chunk.lastIndexOf('SFATAL\0', undefined, 'latin1') - 5
  const isMessage
    = start >= 0 && chunk[start] === ERROR_RESPONSE && start + 1 + chunk.readUInt32BE(start + 1) === chunk.length
  return isMessage ? chunk.subarray(0, start) : chunk
}
