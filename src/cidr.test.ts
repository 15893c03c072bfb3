import { describe, expect, test } from "vitest";
import { addressList, isListed, parseCidr } from "./cidr.ts";

describe("a CIDR", () => {
  test.each([
    ["10.0.0.0/8", { address: "10.0.0.0", length: 8, family: "ipv4" }],
    ["10.1.2.3", { address: "10.1.2.3", length: 32, family: "ipv4" }],
    ["0.0.0.0/0", { address: "0.0.0.0", length: 0, family: "ipv4" }],
    ["fd00::/8", { address: "fd00::", length: 8, family: "ipv6" }],
    ["::1", { address: "::1", length: 128, family: "ipv6" }],
  ])("%s", (text, expected) => expect(parseCidr(text)).toEqual(expected));

  test.each([
    "",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "::/129",
    "fe80::1%lo/64",
    "all",
    "10.0.0.0/1e1",
  ])("%j is not one", (text) => {
    expect(parseCidr(text)).toBeUndefined();
    expect(() => addressList([text])).toThrow(TypeError);
  });

  test.each([
    ["10.9.8.7", true],
    ["11.0.0.0", false],
    ["::ffff:10.9.8.7", true],
    ["::ffff:a09:807", true],
    ["fd12::1", true],
    ["fe80::1", false],
    ["10.9.8", false],
    ["", false],
  ])("%s is listed: %s", (address, expected) =>
    expect(isListed(addressList(["10.0.0.0/8", "fd00::/8"]), address)).toBe(expected),
  );
});
