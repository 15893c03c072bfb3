import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = [request: IncomingMessage, response: ServerResponse];

/**
 * The most requests of one connection that run at once. Browsers and HTTP clients send one request after another. More
 * requests would only fill the memory with answers.
 */
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
    // Reading the body of a request resumes the whole connection, even while requests wait.
    socket.on("resume", () => this.#hold());
  }

  /** Stops reading from the connection while requests wait. The last packet may already hold some hundred requests. */
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
    // After the connection is closed, the waiting requests have no receiver.
    if (!exchange || this.#socket.destroyed) return;
    if (this.#waiting.length === 0) this.#socket.resume();
    this.#run(exchange);
  }
}

/**
 * Answers at most 16 requests of a connection at the same time. If a client sends more without waiting for answers
 * (pipelining), the other requests wait in the connection.
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
