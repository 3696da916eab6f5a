import { expect, test } from "bun:test";
import {
  bucketProblem,
  endpointProblem,
  objectPrefixProblem,
  regionProblem,
} from "../../../server/domain/settings/offsite_address.ts";

test("an endpoint is an address without path and credentials", () => {
  for (const fine of [
    "https://s3.example.com",
    "http://10.0.0.2:9000",
    "https://[fd00::2]:9000/",
    "HTTPS://S3.Example",
  ])
    expect([fine, endpointProblem(fine)]).toEqual([fine, null]);
  for (const wrong of [
    "",
    "s3.example.com",
    "ftp://a",
    "https://",
    "https://a/b",
    "https://a?b",
    "https://a#b",
    "https://a b",
    "https://a:99999",
  ])
    expect([wrong, endpointProblem(wrong)]).toEqual([wrong, expect.any(String)]);
  expect(endpointProblem("https://user:hidden-word@host")).not.toContain("hidden-word");
});

test("a bucket has a name that providers take, or none yet", () => {
  for (const fine of ["", "our-dashcam", "a.b.c", "Old_Bucket", "123"])
    expect([fine, bucketProblem(fine)]).toEqual([fine, null]);
  for (const wrong of ["a", "ab", "-abc", "abc-", "a/b/c", "a b c", "äbc", "..."])
    expect([wrong, bucketProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});

test("a region has a plain name", () => {
  for (const fine of ["us-east-1", "auto", "eu-central-003", "garage"])
    expect([fine, regionProblem(fine)]).toEqual([fine, null]);
  for (const wrong of ["", " ", "eu central", "eu/1", "-a", "a".repeat(64)])
    expect([wrong, regionProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});

test("a prefix leads nowhere else", () => {
  for (const fine of ["", "car", "car/", "a/b c/ü", "a".repeat(200)])
    expect([fine, objectPrefixProblem(fine)]).toEqual([fine, null]);
  for (const wrong of ["/", "/a", "a//b", "..", "a/..", "../a", "a/./b", "a\\b", "a\0b", "a\nb", "a".repeat(201)])
    expect([wrong, objectPrefixProblem(wrong)]).toEqual([wrong, expect.any(String)]);
});
