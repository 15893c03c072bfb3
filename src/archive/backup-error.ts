/** A backup or an export that can't be written, read or restored, in one line for the operator. */
export class BackupError extends Error {}

/** The reasons of the file system, by the code of the error. */
const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  EFBIG: "the file system allows no file of this size",
  EPIPE: "the reader of the output has ended",
  EACCES: "this user may not use it",
  EPERM: "this user may not use it",
  EROFS: "the file system is read-only",
  EIO: "the disk reports an error",
  ENOENT: "there is no such file or directory",
  EISDIR: "this is a directory",
  ENOTDIR: "a part of the path is no directory",
  EEXIST: "something else has this name already",
  EXDEV: "this is on another file system",
  ELOOP: "too many links follow each other",
};

/**
 * The error of a file or a stream as one line; any other error as it is. `name`: the name of the file, unless the error
 * is of another one.
 */
export function explained(name: string, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ""];
  if (reason === undefined) return error;
  // The draft of a file bears the name of the file.
  const failed = path === undefined || path.startsWith(`${name}.`) ? name : path;
  return new BackupError(`${failed}: ${reason} (${code}).`, { cause: error });
}
