import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = [request: IncomingMessage, response: ServerResponse];

/** Of one connection, at once. Browsers and clients of HTTP send one after the other; more than that only fills the memory with answers. */
export const MOST_IN_FLIGHT = 16;

/** The requests of one connection. */
class Connection {
  readonly #socket: Socket;
  readonly #listener: Listener;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(socket: Socket, listener: Listener) {
    this.#socket = socket;
    this.#listener = listener;
    // Whoever reads a body lets the whole connection read on.
    socket.on("resume", () => this.#hold());
  }

  /** Nothing more is read as long as something waits: what has been read may hold some hundred requests. */
  #hold(): void {
    if (this.#waiting.length > 0) this.#socket.pause();
  }

  take(...exchange: Waiting): void {
    if (this.#running < MOST_IN_FLIGHT) return this.#run(exchange);
    this.#waiting.push(exchange);
    this.#hold();
  }

  #run([request, response]: Waiting): void {
    this.#running += 1;
    response.on("close", () => this.#next());
    this.#listener(request, response);
  }

  #next(): void {
    this.#running -= 1;
    const exchange = this.#waiting.shift();
    // After a connection is closed, what waited in it has no receiver.
    if (!exchange || this.#socket.destroyed) return;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#run(exchange);
  }
}

/**
 * Lets at most 16 requests of a connection be answered at the same time. The others of those that were sent without waiting for answers
 * (pipelining) wait in the connection.
 */
export function boundedInFlight(listener: Listener): Listener {
  const connections = new WeakMap<Socket, Connection>();
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = new Connection(socket, listener)));
    connection.take(request, response);
  };
}
