import Box
import LinuxIO
import Sessions
import StoreFiles

/// What a start finds of a sit that was on when this box ended the last time.
struct FoundJournal {
  /// What it holds; nil where nothing was left to be done, or nothing of it can be read.
  var journal: Journal?
  /// Those of its sits that the store knows.
  var known: Set<Identity> = []
  /// What is wrong, each as a sentence for people.
  var complaints: [String] = []

  /// Reads the journal of a state folder, whose lock this process holds.
  ///
  /// The store is read here, and not by the storage thread, which may wait for a shared folder: the
  /// sit's bell does not. It is read only where a journal was left.
  init(state: String) {
    do throws(StoreFileFault) {
      var errors: [JournalError] = []
      let found = try JournalFile(state: state).read { bytes in
        do throws(JournalError) { journal = try Journal(parsing: bytes) } catch {
          errors.append(error)
          return false
        }
        return true
      }
      for (error, path) in zip(errors, found.setAside) {
        complaints.append("\(error) It is kept as \(path).")
      }
    } catch {
      complaints.append("The journal of a sit could not be read: \(error).")
    }
    guard let journal else { return }
    do throws(StoreFileFault) {
      let files = try TruthReader.files(inState: state)
      let store = StoreFile.store(files.all)
      known = Set(journal.sits.filter(store.knows))
    } catch {
      // The storage thread tells of it; a sit that is added twice is one by its identity.
    }
  }
}
